import type { Metadata } from "next";
import { PageNotFound } from "@/components/pages/frame/page-not-found";

export const metadata: Metadata = { title: "Not found" };

export default function ConsoleNotFound() {
  return <PageNotFound />;
}
