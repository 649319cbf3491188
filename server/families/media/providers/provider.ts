import type { JsonObject } from "@/contracts/common";
import type { MediaKind, MediaProviderId } from "@/contracts/models/media";
import type { MediaClient } from "./media-client";

/** An image that a request works from. */
export type GivenImage = { bytes: Uint8Array; mediaType: string };

export type ImageRequest = {
  prompt: string;
  /** Images to edit or to work from; none: a new image. */
  images: readonly GivenImage[];
  size: { width: number; height: number } | null;
  aspectRatio: string | null;
  count: number;
};
export type VideoRequest = { prompt: string; image: GivenImage | null; aspectRatio: string | null; durationSeconds: number | null };
export type MusicRequest = { prompt: string; lyrics: string | null; instrumental: boolean };
export type Model3dRequest = { prompt: string | null; image: GivenImage | null; texture: boolean; pbr: boolean };

/** What each kind of media is made from. */
export type MediaRequests = { image: ImageRequest; video: VideoRequest; music: MusicRequest; model3d: Model3dRequest };

/** A file of an answer: its bytes, or the address that has them. */
export type MadeFile =
  | { bytes: Uint8Array }
  | {
      url: string;
      /** The download needs the key; it is sent to the provider's own origin only. */
      withKey?: boolean;
    };

/** `handle`: the provider's ids of work that goes on; JSON, because it is stored. */
export type Begun = { files: readonly MadeFile[]; notes?: readonly string[] } | { handle: JsonObject };

export type Polled =
  | { state: "working"; progress: string | null }
  /** The first part is done, and another paid part begins with `goOn`. */
  | { state: "next"; handle: JsonObject }
  | { state: "done"; files: readonly MadeFile[]; notes?: readonly string[] };

/** How a provider makes one kind of media. Functions throw `MediaFault` when the provider refuses. */
export type Maker<Request> = {
  defaultModel: string;
  /** Models that the documentation names; others can be typed. */
  knownModels: readonly string[];
  /** Sends the paid request. */
  begin: (request: Request, model: string, client: MediaClient) => Promise<Begun>;
  /** Asks how far the work is. */
  poll?: (handle: JsonObject, client: MediaClient) => Promise<Polled>;
  /** Sends the paid request of the second part. */
  goOn?: (handle: JsonObject, client: MediaClient) => Promise<JsonObject>;
  /** Asks the provider to stop, so that work that has not begun is not charged. */
  cancel?: (handle: JsonObject, client: MediaClient) => Promise<void>;
};

export type Makers = { [Kind in MediaKind]?: Maker<MediaRequests[Kind]> };

export type MediaProvider = {
  id: MediaProviderId;
  title: string;
  defaultAddress: string;
  /** Headers with the key. */
  authorize: (key: string) => Record<string, string>;
  /** A request that costs nothing and needs the key. */
  check: (client: MediaClient) => Promise<void>;
  makers: Makers;
};
