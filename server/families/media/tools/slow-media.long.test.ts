import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { callTool, jobOf, serveProviders, tasksOf, useMediaStage } from "@/server/testing/media-stage";
import { neverAborted, runtimeActor, submitCalls } from "@/server/testing/stage";
import { cancelJob } from "@/server/turns/background/cancel-job";
import { recoverJobs } from "@/server/turns/background/recover-jobs";
import { makeMedia } from "../tasks/make-media";
import { changeTask, reserveTask } from "../tasks/media-tasks";

const stage = useMediaStage();

const scopeOf = (callId: string) => ({
  workspaceId: stage.built.workspace.id,
  conversationId: stage.conversationId,
  callId,
  privateHosts: [],
});
const watch = { signal: neverAborted, progress: () => {} };
const aVideo = {
  kind: "video" as const,
  model: null,
  request: async () => ({ prompt: "waves", image: null, aspectRatio: null, durationSeconds: null }),
};

test("a video becomes a background job without being asked for, and its result comes with a later turn", async () => {
  const [server] = await serveProviders(stage, [{ id: "minimax", polls: 3 }]);
  const call = await callTool(stage, "create_video", { description: "waves", seconds: 6 });
  expect(call.status).toBe("succeeded");
  expect(call.content).not.toContain("Made");
  const job = await jobOf(call);
  expect(job).toMatchObject({
    status: "succeeded",
    content: expect.stringContaining("Made the video with MiniMax (MiniMax-Hailuo-2.3): video.mp4"),
  });
  expect(job.contentParts).toContainEqual(expect.objectContaining({ type: "artifact", mediaType: "video/mp4" }));
  expect(server?.paid()).toEqual(["/minimax/video_generation"]);
  const next = await submitCalls(stage, [["video_generate", { action: "status" }]]);
  expect(next.finishedJobs?.[0]?.content).toContain("Made the video");
  expect(next.calls[0]?.content).toContain("MiniMax (MiniMax-Hailuo-2.3), begun ");
});

test.each([
  ["music_generate", { prompt: "jazz", instrumental: true }, "minimax", "audio/mpeg"],
  ["model3d_generate", { prompt: "a chair", enablePbr: true }, "meshy", "model/gltf-binary"],
] as const)("%s is a job whose file is of its kind", async (tool, args, id, mediaType) => {
  await serveProviders(stage, [{ id }]);
  const job = await jobOf(await callTool(stage, tool, args));
  expect(job.contentParts).toContainEqual(expect.objectContaining({ mediaType }));
});

test("a conversation makes one video at a time", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let isHeld = true;
  void held.then(() => {
    isHeld = false;
  });
  await serveProviders(stage, [
    {
      id: "minimax",
      interfere: ({ url }) =>
        isHeld && url.includes("/query/") ? { json: { status: "Processing", base_resp: { status_code: 0 } } } : undefined,
    },
  ]);
  const first = await callTool(stage, "video_generate", { prompt: "waves" });
  await vi.waitFor(async () => expect((await tasksOf(stage))[0]?.status).toBe("running"));
  const second = await jobOf(await callTool(stage, "video_generate", { prompt: "hills" }));
  expect(second).toMatchObject({
    status: "failed",
    content: expect.stringMatching(/already makes a video \(task [0-9a-f-]{36}\)\. Its result comes by itself/),
  });
  release();
  expect((await jobOf(first)).status).toBe("succeeded");
});

test("a call that starts again waits for the provider's work and pays nothing", async () => {
  const [server] = await serveProviders(stage, [{ id: "fal", polls: 4 }]);
  const scope = scopeOf(newId());
  const dying = new AbortController();
  const died = makeMedia(scope, aVideo, {
    signal: dying.signal,
    progress: (line) => line.startsWith("fal:") && dying.abort(new Error("the process died")),
  });
  await expect(died).rejects.toThrow();
  expect((await tasksOf(stage))[0]).toMatchObject({ status: "running", handle: { app: "fal-ai/kling-video", id: "r1" } });
  const made = await makeMedia(scope, { ...aVideo, request: () => Promise.reject(new Error("nothing is loaded again")) }, watch);
  expect(made.files.map(({ name }) => name)).toEqual(["video.mp4"]);
  expect(server?.paid()).toHaveLength(1);
});

test("a job of a process that died goes on with the provider's work", async () => {
  const [server] = await serveProviders(stage, [{ id: "fal" }]);
  const call = await callTool(stage, "video_generate", { prompt: "waves" });
  await jobOf(call);
  // The state that a process leaves when it dies while the provider works.
  const [task] = await tasksOf(stage);
  if (!task) throw new Error("there is no task");
  await changeTask(task, { status: "running" });
  const unfinished = {
    status: "running",
    claimedBy: newId(),
    finishedAt: null,
    durationMs: null,
    content: "",
    contentParts: null,
  } as const;
  await db()
    .update(jobs)
    .set(unfinished)
    .where(eq(jobs.id, call.jobId ?? ""));
  await recoverJobs(async () => false);
  expect(await jobOf(call)).toMatchObject({ status: "succeeded", content: expect.stringContaining("Made the video with fal") });
  expect(server?.paid()).toHaveLength(1);
});

test("a request whose answer was lost with the process is never sent again", async () => {
  const [server] = await serveProviders(stage, [{ id: "minimax" }]);
  const { privateHosts: _, ...owner } = scopeOf(newId());
  await reserveTask({ ...owner, kind: "video", provider: "minimax", model: "m" }, { onlyOne: true });
  const again = makeMedia(scopeOf(owner.callId), aVideo, watch);
  await expect(again).rejects.toThrow(
    "MiniMax was asked when Handrail stopped, and its answer is lost. It may have made and charged the work",
  );
  await expect(makeMedia(scopeOf(owner.callId), aVideo, watch)).rejects.toThrow("its answer is lost");
  expect(server?.received).toEqual([]);
});

test("a task whose call ended too early is fetched by its state", async () => {
  await serveProviders(stage, [{ id: "minimax" }]);
  const { privateHosts: _, ...owner } = scopeOf(newId());
  const task = await reserveTask({ ...owner, kind: "video", provider: "minimax", model: "m" }, { onlyOne: true });
  await changeTask(task, { status: "running", handle: { task: "t1" } });
  const call = await callTool(stage, "video_generate", { action: "status", taskId: task.id });
  expect(call.content).toContain("Made the video with MiniMax (m): video.mp4");
  expect(call.contentParts).toContainEqual(expect.objectContaining({ mediaType: "video/mp4" }));
  expect((await callTool(stage, "video_generate", { action: "status", taskId: task.id })).content).toContain(
    "succeeded; its files are artifacts",
  );
});

test("a provider that stops answering for a while is asked again, and its work is not lost", async () => {
  let questions = 0;
  const [server] = await serveProviders(stage, [
    {
      id: "fal",
      interfere: ({ url }) => {
        if (!url.endsWith("/status")) return undefined;
        questions += 1;
        return questions === 1 ? "cut" : questions === 2 ? { status: 503, json: {} } : undefined;
      },
    },
  ]);
  expect((await jobOf(await callTool(stage, "video_generate", { prompt: "waves" }))).status).toBe("succeeded");
  expect(server?.paid()).toHaveLength(1);
});

test("a job that somebody stops ends, its provider hears of it, and the next video may begin", async () => {
  let isHeld = true;
  const [server] = await serveProviders(stage, [
    { id: "fal", interfere: ({ url }) => (isHeld && url.endsWith("/status") ? { json: { status: "IN_PROGRESS" } } : undefined) },
  ]);
  const call = await callTool(stage, "video_generate", { prompt: "waves" });
  await vi.waitFor(async () => expect((await tasksOf(stage))[0]?.status).toBe("running"));
  await cancelJob(runtimeActor(stage), call.jobId ?? "", neverAborted);
  expect((await jobOf(call)).status).toBe("cancelled");
  await vi.waitFor(() =>
    expect(server?.received).toContainEqual(expect.objectContaining({ method: "PUT", url: "/fal/fal-ai/kling-video/requests/r1/cancel" })),
  );
  await vi.waitFor(async () => expect((await tasksOf(stage))[0]).toMatchObject({ status: "failed", error: "A person stopped the task." }));
  isHeld = false;
  expect((await jobOf(await callTool(stage, "video_generate", { prompt: "hills" }))).status).toBe("succeeded");
});

test.each([
  ["video_generate", {}, "prompt: is needed: describe the wanted video"],
  ["video_generate", { prompt: "a", duration: 0 }, "duration: "],
  ["music_generate", { prompt: "a", lyrics: "la", instrumental: true }, "lyrics: cannot go with instrumental"],
  ["music_generate", {}, "prompt: is needed: describe the style of the music"],
  ["model3d_generate", {}, "prompt: is needed, or imageUrl"],
  ["model3d_generate", { prompt: "a", enableTexture: false, enablePbr: true }, "enablePbr: needs enableTexture"],
])("%s refuses %j with %s", async (tool, args, sentence) => {
  await serveProviders(stage, [{ id: "fal" }]);
  const call = await callTool(stage, tool, args);
  expect(call).toMatchObject({ status: "failed", content: expect.stringContaining(sentence) });
});
