import "server-only";
import type { MediaKind } from "@/contracts/models/media";
import { defineCapability } from "@/server/capabilities/define-capability";
import { imagesOfRun } from "@/server/runs/context/images-of-run";
import { analyzeImages, type Question } from "./images/analyze-images";
import type { MediaRequests } from "./providers/provider";
import { readMediaChain } from "./settings/media-chain";
import { describeProviders } from "./tasks/describe-providers";
import { lookAtTask, type Seen } from "./tasks/look-at-task";
import { type Made, makeMedia, type Watch } from "./tasks/make-media";
import { imagesOfTask } from "./tasks/media-tasks";

type Asked<Kind extends MediaKind> = { kind: Kind; model: string | null; request: () => Promise<MediaRequests[Kind]> };

/** The media providers of a workspace, and the tasks of one conversation. */
export type MediaCapability = {
  make: <Kind extends MediaKind>(asked: Asked<Kind>, watch: Watch) => Promise<Made>;
  /** Describes the providers and models of a kind for the model. */
  list: (kind: MediaKind) => Promise<string>;
  /** Tells how far a task is, or lists the latest ones; fetches the files of a task that nobody waits for any more. */
  look: (kind: MediaKind, taskId: string | null, watch: Watch) => Promise<Seen>;
  imagesOfTask: (taskId: string) => Promise<string[]>;
  /** Returns the artifact ids of the images of a message and of what followed it in its run. */
  imagesOfMessage: (runId: string) => Promise<string[]>;
  /** Has a model look at images. @throws AppError `unavailable` when no model can */
  analyze: (question: Question, signal: AbortSignal) => Promise<string>;
};

export const media = defineCapability({
  name: "media",
  title: "The media providers of the workspace, which cost money",
  isOfConversation: true,
  reachesHosts: true,
  create: ({ workspaceId, conversationId, callId, privateHosts }): MediaCapability => {
    const scope = { workspaceId, conversationId, callId, privateHosts: privateHosts() };
    return {
      make: (asked, watch) => makeMedia(scope, asked, watch),
      list: async (kind) => describeProviders(await readMediaChain(workspaceId), kind),
      look: (kind, taskId, watch) => lookAtTask(scope, { kind, taskId }, watch),
      imagesOfTask: (taskId) => imagesOfTask(scope, taskId),
      imagesOfMessage: (runId) => imagesOfRun(conversationId, runId),
      analyze: (question, signal) => analyzeImages(scope, question, signal),
    };
  },
});
