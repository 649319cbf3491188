import "server-only";

/**
 * Answers lines as they are made, because a check or an export of a large audit takes minutes. The first line is made before this
 * resolves, so that an early failure is an error answer and not a broken download.
 */
export async function streamLines(lines: AsyncGenerator<string, void, void>, fileName?: string): Promise<Response> {
  const first = await lines.next();
  const encoder = new TextEncoder();
  let next: IteratorResult<string, void> | null = first;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await lines.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...(fileName ? { "content-disposition": `attachment; filename="${fileName}"` } : {}),
    },
  });
}
