import { defineCapability } from "@/server/capabilities/define-capability";

export const disclosure = defineCapability({
  name: "disclosure",
  title: "Extension tools of the conversation",
  isOfConversation: true,
  create: ({ enableTool, searchTools, describeTool, documentTool }) => ({
    enable: enableTool,
    search: searchTools,
    describe: describeTool,
    document: documentTool,
  }),
});
