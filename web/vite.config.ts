import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // The page's policy allows no inline script, and images only from itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The output folder may lie outside the project, where the host embeds it from.
    emptyOutDir: true,
  },
  // `npm run dev` shows the room that GROUPX_ORIGIN serves.
  server: { proxy: { "/api": loadEnv(mode, ".", "GROUPX_")["GROUPX_ORIGIN"] ?? "http://127.0.0.1:4310" } },
}));
