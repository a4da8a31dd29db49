"""The routes of the web application, one file for each thing that they serve."""
