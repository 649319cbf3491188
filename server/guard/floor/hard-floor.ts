/** The dangers of the hard floor, with their texts for the list of detectors. */
export const hardFloor = {
  recursive_delete: {
    title: "Deleting the system or a home folder",
    explanation: "Deletes a folder that the system or a person lives in, with everything in it: rm -rf /, rm -rf ~, find / -delete.",
  },
  system_rights: {
    title: "Changing rights of the system",
    explanation:
      "Changes the owner or the rights of the system's folders with everything in them, which locks everybody out: chmod -R 000 /.",
  },
  make_file_system: {
    title: "Making a new file system",
    explanation: "Makes a new file system over what is there: mkfs, mke2fs, mkswap.",
  },
  raw_device: {
    title: "Writing to a raw disk",
    explanation: "Writes past the file system to a disk itself, which destroys what is on it: dd of=/dev/sda, shred, wipefs.",
  },
  fork_bomb: {
    title: "Fork bomb",
    explanation: "Defines a function that starts itself over and over, until the machine can do nothing else.",
  },
  power: {
    title: "Stopping the machine",
    explanation: "Stops or restarts the machine, and everybody's work on it: reboot, shutdown, init 0, the kernel's sysrq trigger.",
  },
  kill_everything: {
    title: "Ending every process",
    explanation: "Ends every process of the machine, or the first one, on which all others stand: kill -9 -1.",
  },
} as const;

export type FloorName = keyof typeof hardFloor;

/** The advice shown with every finding of the hard floor. */
export const insteadOfFloor = "Find another way, or leave it to a person.";
