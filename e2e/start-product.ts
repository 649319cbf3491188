import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProduct } from "./product";
import { makeStrangersWorkspace } from "./workspaces";

/** Before all specs: the real product on a free port with a data folder of its own. Returns the way back. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-e2e-"));
  const product = await startProduct({ dataDir });
  const tearDown = async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    process.env.HANDRAIL_E2E_URL = product.url;
    process.env.HANDRAIL_E2E_DATA_DIR = dataDir;
    process.env.HANDRAIL_E2E_STRANGER_KEY = await makeStrangersWorkspace(dataDir);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}
