import { mendDriver } from "@/server/platform/mend-driver";

// Before a test file loads the driver, as in production.
mendDriver();
