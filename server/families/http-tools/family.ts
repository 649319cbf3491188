import { defineFamily } from "../define-family";
import { authProfileAnswers, httpToolAnswers } from "./endpoints";
import { httpToolSource } from "./http-tool-source";

export const httpToolsFamily = defineFamily({
  name: "http-tools",
  endpoints: [...authProfileAnswers, ...httpToolAnswers],
  toolSource: httpToolSource,
});
