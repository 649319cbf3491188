import { NothingHere } from "@/components/shell/nothing-here";
import classes from "./not-found.module.css";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className={classes.main}>
      <NothingHere />
    </main>
  );
}
