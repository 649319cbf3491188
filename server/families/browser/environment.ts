import { z } from "zod";
import { defineVariable } from "@/server/platform/define-variable";

/** The doctor and the tool report a wrong path, because Handrail is useful without a browser. */
export const chromePath = defineVariable({
  name: "CHROME_PATH",
  schema: z.string().optional(),
  fallback: "the first Chromium or Chrome in `PATH`",
  meaning: "the browser of `browser_use`; without one, the tool is unavailable",
});

/** Variables of this family. */
export const environment = [chromePath];
