import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { DoctorView } from "@/components/pages/doctor/doctor-view";
import { doctorQueries } from "@/components/pages/doctor/queries";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { runDoctor } from "@/server/families/doctor/run-doctor";

export const metadata: Metadata = { title: "Doctor" };

export default async function DoctorPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  if (actor.permissions.has("admin")) {
    const admin = requirePermission(actor, "admin");
    await cache.prefetchQuery({ ...doctorQueries.get(), queryFn: () => runDoctor(admin) });
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <DoctorView />
    </HydrationBoundary>
  );
}
