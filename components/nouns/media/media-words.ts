import type { MediaKind, MediaProviderStatus } from "@/contracts/models/media";

export const mediaKindWords: Record<MediaKind, string> = { image: "Images", video: "Videos", music: "Music", model3d: "3D models" };

export const mediaStatusWords: Record<MediaProviderStatus, string> = {
  ready: "Ready",
  off: "Off",
  needs_key: "Needs a key",
  key_unreadable: "Key cannot be opened",
};
