import { completable, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The prompts and resources that the suite's scenarios read. */
export function registerContents(server: McpServer, png: string): void {
  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: png }],
  }));
  server.registerResource("watched", "test://watched-resource", { mimeType: "text/plain" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: "This resource can be watched." }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
  const user = (content: { type: "text"; text: string }) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "A prompt" }, () => ({
    messages: [user({ type: "text", text: "This is a simple prompt for testing." })],
  }));
  const both = z.object({
    arg1: completable(z.string(), (typed) => ["paris", "park", "party"].filter((one) => one.startsWith(typed))),
    arg2: z.string(),
  });
  server.registerPrompt("test_prompt_with_arguments", { description: "With arguments", argsSchema: both }, ({ arg1, arg2 }) => ({
    messages: [user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
  }));
  const embedded = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "With a resource", argsSchema: embedded },
    ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        user({ type: "text", text: "Please process the embedded resource above." }),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "With a picture" }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: png, mimeType: "image/png" } },
      user({ type: "text", text: "Please analyze the image above." }),
    ],
  }));
}
