import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";

/** In the place of a form whose program is on its way. */
export function FormSkeleton() {
  return <RowSkeletons rows={5} height={3.5} what="the form" />;
}
