import { resourceLink } from "@/server/mcp/connect/content/read-answer";
import { defineFamily } from "../define-family";
import { linkedResources } from "./linked-resources";
import { readResource } from "./tools/read-resource";

export const mcpResourcesFamily = defineFamily({
  name: "mcp-resources",
  tools: [readResource],
  capabilities: [linkedResources],
  promptHints: [[resourceLink, "Read it with read_resource."]],
});
