"use client";

import dynamic from "next/dynamic";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";

const loadMemberForm = () => import("./member-form").then((file) => file.MemberForm);

/** The form of a member, loaded apart from its page. */
export const LateMemberForm = dynamic(loadMemberForm, { ssr: false, loading: FormSkeleton });

/** The link with which a person chooses a password, loaded apart from its page. */
export const LateInvitationLink = dynamic(() => import("./invitation-link").then((file) => file.InvitationLink), { ssr: false });

/** Loads the form ahead, so that its dialog opens without a skeleton. */
export const preloadMemberForm = (): void => void loadMemberForm();
