import { defineFamily } from "../define-family";
import { browsersStep } from "./boot-steps";
import { browser } from "./browser-capability";
import { browserCheck } from "./browser-check";
import { environment } from "./environment";
import { browserUse } from "./tools/browser-use";

export const browserFamily = defineFamily({
  name: "browser",
  glossary: {
    "browser session": "The browser of one conversation, with its pages; one replica keeps it.",
    "page reference": "The short name of an element in a snapshot of a page, such as `@e5`.",
  },
  environment,
  tools: [browserUse],
  capabilities: [browser],
  doctor: [browserCheck],
  boot: [browsersStep],
});
