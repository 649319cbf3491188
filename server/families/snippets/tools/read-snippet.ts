import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { snippetTexts } from "../snippets-capability";

export const readSnippet = defineTool({
  name: "read_snippet",
  title: "Read a snippet",
  description: "Returns the text of a snippet of the workspace by its name.",
  family: "snippets",
  tier: "extension",
  effect: "read",
  needs: [snippetTexts],
  primaryArgument: "name",
  input: z.object({ name: z.string().trim().min(1).max(100).describe("Name of the snippet") }),
  async execute({ name }, { snippets }) {
    const text = await snippets.find(name);
    if (text === null) throw new AppError("not_found", `There is no snippet "${name}". Ask the person for its name.`);
    return text;
  },
});
