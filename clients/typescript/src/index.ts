export * from "./conversation.js";
export * from "./frameworks.js";
export * from "./loop.js";
export { HandrailError } from "./request.js";
export * from "./wire.js";
