import { defineFamily } from "../define-family";
import { linkedResources } from "./linked-resources";
import { readResource } from "./tools/read-resource";

export const mcpResourcesFamily = defineFamily({
  name: "mcp-resources",
  tools: [readResource],
  capabilities: [linkedResources],
  promptHints: { resource_link: "Read it with read_resource." },
});
