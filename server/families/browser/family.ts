import { defineFamily } from "../define-family";
import { browsersStep } from "./boot-steps";
import { browser } from "./browser-capability";
import { browserCheck } from "./browser-check";
import { browserUse } from "./tools/browser-use";

export const browserFamily = defineFamily({
  name: "browser",
  tools: [browserUse],
  capabilities: [browser],
  doctor: [browserCheck],
  boot: [browsersStep],
});
