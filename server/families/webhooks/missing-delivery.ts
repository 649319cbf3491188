import { AppError } from "@/server/platform/errors";

export const missingDelivery = (): AppError =>
  new AppError("not_found", "This delivery does not exist. The log keeps 30 days; deliveries of a removed webhook are deleted.");
