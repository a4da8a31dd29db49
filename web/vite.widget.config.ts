import { defineConfig } from "vite";

/** The picture for notebooks: one script that brings everything along. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/headframe/notebook/static",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/widget.ts", formats: ["es"], fileName: () => "widget.js" },
    rolldownOptions: { output: { codeSplitting: false } },
    chunkSizeWarningLimit: 1200,
  },
});
