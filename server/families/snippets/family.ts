import { defineFamily } from "../define-family";
import { snippetAnswers } from "./endpoints";
import { snippetTexts } from "./snippets-capability";
import { readSnippet } from "./tools/read-snippet";

export const snippetsFamily = defineFamily({
  name: "snippets",
  endpoints: snippetAnswers,
  tools: [readSnippet],
  capabilities: [snippetTexts],
});
