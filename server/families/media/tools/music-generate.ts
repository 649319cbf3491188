import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { media } from "../media-capability";
import { availabilityOf, commonParameters, makeOrLookUp, mediaTimeoutMs, sendsPrompt } from "./media-tool";

export const musicGenerate = defineTool({
  name: "music_generate",
  title: "Make music",
  description:
    "Makes a song or instrumental music from a description of its style, with the workspace's music provider. It costs money and takes minutes: it runs as a background job, and the music comes with a later turn. lyrics may have tags such as [Verse].",
  family: "media",
  tier: "extension",
  effect: "write",
  recovery: { resumes: true },
  needs: [media],
  names: {
    aliases: ["musicGenerate", "MusicGenerateTool", "generate_music", "create_music", "music_generation", "text_to_music", "song_generate"],
    parameterAliases: { text: "prompt", description: "prompt", style: "prompt", task_id: "taskId", is_instrumental: "instrumental" },
  },
  primaryArgument: "prompt",
  running: { backgroundable: true, startsInBackground: ({ action }) => action === "generate" },
  timeoutMs: mediaTimeoutMs,
  disclosure: { workspaceAvailability: availabilityOf("music") },
  input: z
    .object({
      prompt: z.string().trim().min(1).max(2_000).optional().describe("Style, mood and instruments"),
      lyrics: z.string().trim().min(1).max(3_500).optional().describe("The words that are sung"),
      instrumental: z.boolean().default(false).describe("Without singing"),
      ...commonParameters,
    })
    .superRefine(({ action, prompt, lyrics, instrumental }, context) => {
      const issue = (path: string, message: string) => context.addIssue({ code: "custom", message, path: [path] });
      if (action === "generate" && prompt === undefined) issue("prompt", "is needed: describe the style of the music");
      if (instrumental && lyrics !== undefined) issue("lyrics", "cannot go with instrumental: send one of them");
    }),
  approval: {
    effects: ({ action }) => (action === "generate" ? [sendsPrompt] : []),
  },
  execute({ prompt = "", lyrics, instrumental, ...asked }, context) {
    return makeOrLookUp("music", asked, context, async () => ({ prompt, lyrics: lyrics ?? null, instrumental }));
  },
});
