import { isAscii } from "node:buffer";

const newline = 0x0a;
/** Additions that a lane of eight bits holds; a multiple of four. */
const maxLaneSum = 252;

/** Counts the line feeds of bytes, four at a time. */
export function countNewlines(bytes: Uint8Array): number {
  const { words, head, tail } = split(bytes);
  let count = 0;
  for (const byte of head) if (byte === newline) count += 1;
  for (const byte of tail) if (byte === newline) count += 1;
  const whole = words.length - (words.length % maxLaneSum);
  for (let from = 0; from < whole; from += maxLaneSum) {
    let lanes = 0;
    for (let index = from; index < from + maxLaneSum; index += 4) {
      // Four words a round, because the loop itself costs as much as the comparison.
      lanes = (lanes + newlineLanes(words[index] as number) + newlineLanes(words[index + 1] as number)) | 0;
      lanes = (lanes + newlineLanes(words[index + 2] as number) + newlineLanes(words[index + 3] as number)) | 0;
    }
    count += sumOfLanes(lanes);
  }
  for (let index = whole; index < words.length; index += 1) count += sumOfLanes(newlineLanes(words[index] as number));
  return count;
}

/** Returns a word with 1 in each byte that is a line feed: the xor makes exactly those bytes zero. */
function newlineLanes(word: number): number {
  const lanes = word ^ 0x0a0a0a0a;
  return ~(((lanes & 0x7f7f7f7f) + 0x7f7f7f7f) | lanes | 0x7f7f7f7f) >>> 7;
}

/** Counts the characters that begin in bytes of UTF-8: every byte but 10xxxxxx begins one. */
export function countCharacters(bytes: Uint8Array): number {
  if (isAscii(bytes)) return bytes.byteLength;
  const { words, head, tail } = split(bytes);
  let continued = 0;
  for (const byte of head) if ((byte & 0xc0) === 0x80) continued += 1;
  for (const byte of tail) if ((byte & 0xc0) === 0x80) continued += 1;
  for (let from = 0; from < words.length; from += maxLaneSum) {
    const to = Math.min(from + maxLaneSum, words.length);
    let lanes = 0;
    for (let index = from; index < to; index += 1) {
      const word = words[index] as number;
      lanes = (lanes + ((word & ~(word << 1) & 0x80808080) >>> 7)) | 0;
    }
    continued += sumOfLanes(lanes);
  }
  return bytes.byteLength - continued;
}

function sumOfLanes(lanes: number): number {
  return (lanes & 0xff) + ((lanes >>> 8) & 0xff) + ((lanes >>> 16) & 0xff) + (lanes >>> 24);
}

/** Returns the aligned words of bytes, and the bytes before and after them. */
function split(bytes: Uint8Array): { words: Int32Array; head: Uint8Array; tail: Uint8Array } {
  if (bytes.byteLength < 8) return { words: new Int32Array(0), head: bytes, tail: bytes.subarray(bytes.byteLength) };
  const start = (4 - (bytes.byteOffset % 4)) % 4;
  const length = Math.floor((bytes.byteLength - start) / 4);
  return {
    words: new Int32Array(bytes.buffer, bytes.byteOffset + start, length),
    head: bytes.subarray(0, start),
    tail: bytes.subarray(start + length * 4),
  };
}
