"use client";

import { Anchor, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { authProfileQueries } from "./queries";

type AuthProfileSelectProps = {
  /** Address of the requests; only profiles of its origin fit. */
  url: string;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
};

/** Chooses the credential of requests among the auth profiles of their origin. */
export function AuthProfileSelect({ url, value, onChange, error }: AuthProfileSelectProps) {
  const profiles = useQuery(authProfileQueries.list());
  const plain = url.replace(/\{\w+\}/g, "x");
  const origin = URL.canParse(plain) ? new URL(plain).origin : null;
  const fitting = (profiles.data ?? []).filter((profile) => profile.origin === origin || profile.id === value);
  return (
    <Select
      label="Auth profile"
      description={
        <>
          A credential for {origin ?? "this origin"} that no model sees.{" "}
          <Anchor component={Link} href="/settings#auth-profiles" size="xs" underline="always">
            Auth profiles
          </Anchor>
        </>
      }
      placeholder={fitting.length === 0 ? "None for this origin" : "None"}
      data={nameChoices(fitting)}
      value={value}
      onChange={onChange}
      clearable
      error={error}
    />
  );
}
