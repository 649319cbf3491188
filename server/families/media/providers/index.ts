import type { MediaProviderId } from "@/contracts/models/media";
import { fal } from "./fal";
import { gemini } from "./gemini";
import { meshy } from "./meshy";
import { minimax } from "./minimax";
import { openai } from "./openai";
import type { MediaProvider } from "./provider";

/** Every provider by its id. */
export const mediaProviders: Readonly<Record<MediaProviderId, MediaProvider>> = { openai, gemini, fal, minimax, meshy };
