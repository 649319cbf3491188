import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { listDocuments, readDocument } from "./docs-library";

export const docs = defineTool({
  name: "docs",
  title: "Handrail's documentation",
  description: "Lists Handrail's own documents, or reads one of them: how tools, approvals, the guard and schedules work here.",
  family: "docs",
  tier: "extension",
  effect: "read",
  needs: [],
  names: { aliases: ["read_docs", "read_doc"], parameterAliases: { path: "name", document: "name" } },
  primaryArgument: "name",
  input: z.object({
    action: z.enum(["list", "read"]).optional().describe("read when a name is sent, else list"),
    name: z.string().trim().min(1).max(200).optional().describe("The document's name, as the list shows it"),
  }),
  async execute({ action, name }) {
    if (name === undefined || action === "list") return (await listDocuments()).map(([title, about]) => `${title}: ${about}`).join("\n");
    return readDocument(name);
  },
});
