import { defineFamily } from "../define-family";
import { mediaAnswers } from "./endpoints";
import { media } from "./media-capability";
import { mediaCheck } from "./settings/media-check";
import { imageAnalyze } from "./tools/image-analyze";
import { imageGenerate } from "./tools/image-generate";
import { model3dGenerate } from "./tools/model3d-generate";
import { musicGenerate } from "./tools/music-generate";
import { videoGenerate } from "./tools/video-generate";

export const mediaFamily = defineFamily({
  name: "media",
  endpoints: mediaAnswers,
  tools: [imageGenerate, imageAnalyze, videoGenerate, musicGenerate, model3dGenerate],
  capabilities: [media],
  doctor: [mediaCheck],
});
