"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type SkillDetail, type SkillPatch, skillEndpoints } from "@/contracts/browser/skills/skills";
import { skillQueries } from "./queries";

/** Changes one skill, and reads it again. */
export function useChangeSkill({ id, version }: Pick<SkillDetail, "id" | "version">) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: skillQueries.all() });
  const onSuccess = async (saved: SkillDetail) => {
    client.setQueryData(skillQueries.one(id).queryKey, saved);
    await refresh();
  };
  const shown = { meta: { showsError: true }, onSuccess };
  return {
    refresh,
    update: useMutation({ ...shown, mutationFn: (body: SkillPatch) => call(skillEndpoints.update, { params: { id }, body }, { version }) }),
    review: useMutation({
      ...shown,
      mutationFn: (review: "approved" | "rejected") => call(skillEndpoints.review, { params: { id }, body: { review } }, { version }),
    }),
    restore: useMutation({
      ...shown,
      mutationFn: (earlier: number) => call(skillEndpoints.restoreVersion, { params: { id, version: earlier } }, { version }),
    }),
    setSecret: useMutation({
      ...shown,
      mutationFn: ({ name, value }: { name: string; value: string }) =>
        call(skillEndpoints.setSecret, { params: { id, name }, body: { value } }),
    }),
    saveFile: useMutation({
      onSuccess,
      mutationFn: (body: { path: string; text: string | null; acceptFindings: boolean }) =>
        call(skillEndpoints.saveFile, { params: { id }, body }, { version }),
    }),
  };
}
