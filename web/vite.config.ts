import { defineConfig } from "vite";

/** The server of a running room, for `npm run dev` beside it. */
const ROOM = process.env["GROUPX_ORIGIN"] ?? "http://127.0.0.1:4310";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // The page's policy allows no inline script, and images only from itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // `--outDir` may point outside the project, into the build folder of the host.
    emptyOutDir: true,
  },
  server: { proxy: { "/api": { target: ROOM, changeOrigin: true } } },
});
