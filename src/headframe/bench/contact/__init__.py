"""Contact, side by side with other engines."""
