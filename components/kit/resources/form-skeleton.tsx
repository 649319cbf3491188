import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";

/** Grey rows while the code of a form loads. */
export function FormSkeleton() {
  return <RowSkeletons rows={5} height={3.5} what="the form" />;
}
