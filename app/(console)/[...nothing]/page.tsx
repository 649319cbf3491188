import { notFound } from "next/navigation";

/** Catches every unknown address, so that "not found" is shown inside the console with its navigation. */
export default function NoPage(): never {
  notFound();
}
