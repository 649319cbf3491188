// Entry of `npm start` and `npm run dev`. It must work on the Node that the machine has, with nothing installed yet:
// plain JavaScript, no packages. It installs and builds what is missing, then hands over to the pinned Node.
import path from "node:path";

const oldestNode = 20;
if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  console.error(
    `Handrail needs Node ${oldestNode} or newer to start, and this is ${process.version}. Install a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}

// Relative paths in the environment are read from the checkout, wherever this was called from.
const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
process.chdir(root);

const { start } = await import("./start/start.mjs");
process.exit(await start(root, process.argv.slice(2)));
