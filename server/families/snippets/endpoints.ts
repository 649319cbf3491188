import { snippetEndpoints } from "@/contracts/snippets";
import { answer } from "@/server/endpoints/answer";
import { snippets } from "./snippets";

export const snippetAnswers = answer(snippetEndpoints, {
  list: snippets.list,
  create: snippets.create,
  update: snippets.update,
  remove: snippets.remove,
});
