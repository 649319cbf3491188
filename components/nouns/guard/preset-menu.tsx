"use client";

import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./preset-menu.module.css";
import { type RulePreset, rulePresets } from "./rule-presets";

/** Presets for a new rule; choosing one fills the editor and saves nothing. */
export function PresetMenu({ disabled, onChoose }: { disabled: boolean; onChoose: (preset: RulePreset) => void }) {
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} disabled={disabled}>
          Presets
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {rulePresets.map((preset) => (
          <Menu.Item key={preset.title} onClick={() => onChoose(preset)}>
            <span className={`${classes.title} ${shared.medium}`}>
              <RevealedText text={preset.title} />
            </span>
            <span className={classes.why}>{preset.why}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
