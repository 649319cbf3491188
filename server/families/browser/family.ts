import { defineFamily } from "../define-family";
import { browsersStep } from "./boot-steps";
import { browser } from "./browser-capability";
import { browserCheck } from "./browser-check";
import { environment } from "./environment";
import { browserUse } from "./tools/browser-use";

export const browserFamily = defineFamily({
  name: "browser",
  environment,
  tools: [browserUse],
  capabilities: [browser],
  doctor: [browserCheck],
  boot: [browsersStep],
});
