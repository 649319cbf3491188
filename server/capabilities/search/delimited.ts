/** Splits a stream of bytes at a delimiter. A last piece without a delimiter counts too. */
export async function* delimited(chunks: AsyncIterable<Buffer>, delimiter: number): AsyncGenerator<Buffer, void> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(delimiter); end !== -1; end = chunk.indexOf(delimiter, from)) {
      const piece = chunk.subarray(from, end);
      yield unfinished.length > 0 ? Buffer.concat([...unfinished, piece]) : piece;
      unfinished = [];
      from = end + 1;
    }
    if (from < chunk.length) unfinished.push(chunk.subarray(from));
  }
  if (unfinished.length > 0) yield Buffer.concat(unfinished);
}
