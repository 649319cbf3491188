import type { MediaKind } from "@/contracts/models/media";

export const mediaKindWords: Record<MediaKind, string> = { image: "Images", video: "Videos", music: "Music", model3d: "3D models" };
