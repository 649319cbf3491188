import { unreadable, workFailed } from "./media-fault";
import type { MediaProvider } from "./provider";
import { dataUri, numberAt, present, textAt } from "./read-json";

const taskId = /^[\w-]{1,100}$/;

/**
 * Meshy. A model from a text is two paid tasks: the preview makes its form, and refining makes its texture. A model from
 * an image is one task.
 * Source: docs.meshy.ai, "Text to 3D" (v2), "Image to 3D" (v1) and "Balance".
 */
export const meshy: MediaProvider = {
  id: "meshy",
  title: "Meshy",
  defaultAddress: "https://api.meshy.ai",
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  check: async (client) => void (await client.ask("/openapi/v1/balance")),
  makers: {
    model3d: {
      defaultModel: "latest",
      knownModels: ["latest", "meshy-6", "meshy-5"],
      async begin({ prompt, image, texture, pbr }, model, client) {
        const answer = image
          ? await client.ask("/openapi/v1/image-to-3d", {
              body: { image_url: dataUri(image), ai_model: model, should_texture: texture, enable_pbr: pbr },
            })
          : await client.ask("/openapi/v2/text-to-3d", { body: present({ mode: "preview", prompt: prompt ?? "", ai_model: model }) });
        return { handle: { task: idIn(answer.result), of: image ? "image" : "preview", texture, pbr } };
      },
      async poll(handle, client) {
        const path = handle.of === "image" ? "/openapi/v1/image-to-3d" : "/openapi/v2/text-to-3d";
        const task = await client.ask(`${path}/${String(handle.task)}`);
        const status = textAt(task, "status");
        if (status === "PENDING" || status === "IN_PROGRESS") {
          const part = handle.of === "preview" && handle.texture === true ? "form" : handle.of === "refine" ? "texture" : "model";
          return { state: "working", progress: `${part} ${numberAt(task, "progress") ?? 0} %` };
        }
        if (status !== "SUCCEEDED") throw workFailed(textAt(task, "task_error", "message") ?? `its status is ${status ?? "missing"}`);
        if (handle.of === "preview" && handle.texture === true) return { state: "next", handle };
        const url = textAt(task, "model_urls", "glb");
        if (!url) throw unreadable("a GLB file");
        return { state: "done", files: [{ url }] };
      },
      async goOn(handle, client) {
        const body = { mode: "refine", preview_task_id: String(handle.task), enable_pbr: handle.pbr === true };
        return { ...handle, task: idIn((await client.ask("/openapi/v2/text-to-3d", { body })).result), of: "refine" };
      },
    },
  },
};

/** The id becomes part of an address. */
function idIn(result: unknown): string {
  if (typeof result !== "string" || !taskId.test(result)) throw unreadable("the id of its task");
  return result;
}
