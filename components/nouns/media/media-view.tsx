"use client";

import { useQuery } from "@tanstack/react-query";
import { Section } from "@/components/kit/settings-frame/section";
import { SettingsPages } from "@/components/kit/settings-frame/settings-pages";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { AnalysisModel } from "./analysis-model";
import { MediaProviders } from "./media-providers";
import { mediaQueries } from "./queries";

/** Settings → Media: providers of images, videos, music and 3D models, and the model that looks at images. */
export function MediaView() {
  const { data: settings, error, refetch, isFetching } = useQuery(mediaQueries.get());
  return (
    <>
      <PageHeader
        title="Settings"
        description="Providers that make images, videos, music and 3D models for agents. They charge their own prices."
      />
      <SettingsPages here="media" />
      {error && !settings ? (
        <ErrorState error={error} what="the media settings" retry={() => void refetch()} retrying={isFetching} />
      ) : !settings ? (
        <RowSkeletons rows={5} height={3.75} what="the media settings" />
      ) : (
        <>
          <Section
            id="media"
            title="Providers"
            description="Asked in this order for what they make. Falls back on errors, not on timeouts (may be billed)."
          >
            <MediaProviders settings={settings} />
          </Section>
          <Section id="analysis" title="Looking at images" description="The model that image_analyze asks. It must be able to see.">
            <AnalysisModel settings={settings} />
          </Section>
        </>
      )}
    </>
  );
}
