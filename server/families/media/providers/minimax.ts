import type { JsonObject } from "@/contracts/common";
import type { MediaClient } from "./media-client";
import { declined, MediaFault, unreadable, workFailed } from "./media-fault";
import type { MadeFile, MediaProvider } from "./provider";
import { dataUri, listAt, numberAt, present, textAt } from "./read-json";

const slowTimeoutMs = 280_000;

/**
 * MiniMax. Images and music come with the answer; a video is a task that is asked for by its id, and its file by another. Errors
 * stand in `base_resp` of an answer with status 200.
 * Source: platform.minimax.io, "Image Generation", "Video Generation", "Music Generation" and "File Management".
 */
export const minimax: MediaProvider = {
  id: "minimax",
  title: "MiniMax",
  defaultAddress: "https://api.minimax.io/v1",
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  check: async (client) => void (await ask(client, "/files/list?purpose=video_generation")),
  makers: {
    image: {
      defaultModel: "image-01",
      knownModels: ["image-01"],
      async begin({ prompt, images, size, aspectRatio, count }, model, client) {
        const body = present({
          model,
          prompt,
          n: count,
          response_format: "base64",
          aspect_ratio: size ? undefined : (aspectRatio ?? undefined),
          width: size?.width,
          height: size?.height,
          subject_reference: images.length > 0 ? images.map((image) => ({ type: "character", image_file: dataUri(image) })) : undefined,
        });
        const answer = await ask(client, "/image_generation", body);
        const files: MadeFile[] = [
          ...listAt(answer, "data", "image_base64").flatMap((data) =>
            typeof data === "string" ? [{ bytes: Buffer.from(data.replace(/^data:[^,]*,/, ""), "base64") }] : [],
          ),
          ...listAt(answer, "data", "image_urls").flatMap((url) => (typeof url === "string" ? [{ url }] : [])),
        ];
        if (files.length === 0 && numberAt(answer, "metadata", "failed_count")) throw declined("its content filter kept every image back");
        if (files.length === 0) throw unreadable("images");
        return { files };
      },
    },
    video: {
      defaultModel: "MiniMax-Hailuo-2.3",
      knownModels: ["MiniMax-Hailuo-2.3", "MiniMax-Hailuo-2.3-Fast", "MiniMax-Hailuo-02"],
      async begin({ prompt, image, durationSeconds }, model, client) {
        const body = present({
          model,
          prompt,
          first_frame_image: image ? dataUri(image) : undefined,
          duration: durationSeconds ?? undefined,
        });
        const id = textAt(await ask(client, "/video_generation", body), "task_id");
        if (!id) throw unreadable("the id of its task");
        return { handle: { task: id } };
      },
      async poll({ task }, client) {
        const answer = await ask(client, `/query/video_generation?task_id=${encodeURIComponent(String(task))}`);
        const status = textAt(answer, "status") ?? "";
        if (/^fail/i.test(status)) throw workFailed(textAt(answer, "base_resp", "status_msg") ?? "");
        if (!/^success$/i.test(status)) return { state: "working", progress: status === "" ? null : status.toLowerCase() };
        const file = textAt(answer, "file_id");
        if (!file) throw unreadable("the id of its file");
        const url = textAt(await ask(client, `/files/retrieve?file_id=${encodeURIComponent(file)}`), "file", "download_url");
        if (!url) throw unreadable("the address of its file");
        return { state: "done", files: [{ url }] };
      },
    },
    music: {
      defaultModel: "music-2.6",
      knownModels: ["music-2.6", "music-2.5", "music-2.0"],
      async begin({ prompt, lyrics, instrumental }, model, client) {
        const body = present({
          model,
          prompt,
          lyrics: instrumental ? undefined : (lyrics ?? undefined),
          is_instrumental: instrumental ? true : undefined,
          // Without lyrics the model writes them from the prompt.
          lyrics_optimizer: !instrumental && lyrics === null ? true : undefined,
          output_format: "hex",
          audio_setting: { sample_rate: 44_100, bitrate: 256_000, format: "mp3" },
        });
        const audio = textAt(await ask(client, "/music_generation", body), "data", "audio");
        if (!audio) throw unreadable("music");
        return { files: [/^https?:/.test(audio) ? { url: audio } : { bytes: Buffer.from(audio, "hex") }] };
      },
    },
  },
};

/** Sends a request and reads the error that an answer with status 200 may hold. */
async function ask(client: MediaClient, path: string, body?: JsonObject): Promise<JsonObject> {
  const answer = await client.ask(path, { ...(body ? { body } : {}), timeoutMs: body ? slowTimeoutMs : 60_000 });
  const code = numberAt(answer, "base_resp", "status_code");
  if (code === null || code === 0) return answer;
  const words = textAt(answer, "base_resp", "status_msg") ?? "it gave no reason";
  const says = `It says: “${words}” (${code})`;
  if (code === 1002 || code === 1039) throw new MediaFault("refused", `limits the number of requests. ${says}`, true);
  if (code === 1004 || code === 2049) throw new MediaFault("refused", `refuses the key. Enter a valid key in Settings, Media. ${says}`);
  if (code === 1008) throw new MediaFault("refused", `has no credit left for this account. Add credit there. ${says}`);
  if (code === 1000 || code === 1001 || code === 1013) throw new MediaFault("refused", `has a fault. ${says}`, true);
  throw declined(`${words} (${code})`);
}
