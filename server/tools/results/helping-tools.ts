import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";

/** A file is not text: the name of the tool that runs commands. */
export const commandTool = definePromptHint("command_tool");

/** A file is a document: the name of the tool that extracts its text. */
export const documentTool = definePromptHint("document_tool");
