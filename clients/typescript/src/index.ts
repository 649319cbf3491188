export * from "./conversation.js";
export * from "./frameworks.js";
export { HandrailError } from "./request.js";
export * from "./wire.js";
