import "server-only";

/** System calls by number: x86_64, arm64; null where the architecture has no such call. */
const denied: Record<string, readonly [x64: number | null, arm64: number | null]> = {
  // Inspection of other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree: [428, 428],
  move_mount: [429, 429],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  // Control of the machine: swap, reboot, modules, clock and the like.
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, null],
  query_module: [178, null],
  get_kernel_syms: [177, null],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  acct: [163, 89],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  fanotify_init: [300, 262],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  // Large or old parts of the kernel: commands do not need them, and most escapes were found there.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  modify_ldt: [154, null],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
  _sysctl: [156, null],
};

type Index = 0 | 1 | 2 | 3;

type Architecture = {
  audit: number;
  column: 0 | 1;
  clone: number;
  personality: number;
  socket: number;
  ioctl: number;
  /** Calls that set the mode of a file, with the position of the mode argument. */
  modes: readonly (readonly [call: number, mode: Index])[];
  /** Calls that create a file when their flags say so. */
  opens: readonly (readonly [call: number, flags: Index, mode: Index])[];
};

const architectures: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    column: 0,
    clone: 56,
    personality: 135,
    socket: 41,
    ioctl: 16,
    // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat; open, openat.
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [85, 1],
      [133, 1],
      [259, 2],
    ],
    opens: [
      [2, 1, 2],
      [257, 2, 3],
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    column: 1,
    clone: 220,
    personality: 92,
    socket: 198,
    ioctl: 29,
    // fchmod, fchmodat, fchmodat2, mknodat; openat.
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
    opens: [[56, 2, 3]],
  },
};

/** clone3 and openat2: their flags lie behind a pointer, which no filter can read. Callers fall back without them. */
const behindPointers = [435, 437];
/** Set-user-id and set-group-id bits: such a program would run as Handrail's user, whoever starts it. */
const setIdBits = 0o6000;
/** O_CREAT and the bit of O_TMPFILE: the mode argument counts only with one of them. */
const makesFile = 0x400040;

/** Flags of clone that create a namespace: mount, cgroup, UTS, IPC, user, PID and network. */
const newNamespaces = 0x7e020000;
/** Linux, Linux with 32-bit `uname`, each with the old mmap layout, and the query of the current personality. */
const harmlessPersonalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Network namespaces do not isolate others: AF_VSOCK reaches the host of a virtual machine. */
const socketFamilies = [1, 2, 10, 16];
/** TIOCSTI types into a terminal, TIOCLINUX pastes into a console. */
const deniedTerminalRequests = [0x5412, 0x541c];
/** x86_64 call numbers from this one on belong to the 32-bit ABI x32. */
const firstX32Call = 0x40000000;

const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const ifEqual = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value];
const ifAtLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value];
const ifAnyBit = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x45, ifTrue, ifFalse, value];
const give = (value: number): Instruction => [0x06, 0, 0, value];
const allow = give(0x7fff0000);
const kill = give(0x80000000);
const fail = (error: keyof typeof errors): Instruction => give(0x00050000 | errors[error]);

// Offsets in the kernel's `struct seccomp_data`; both architectures are little-endian, so the low half comes first.
const callNumber = load(0);
const callArchitecture = load(4);
const argument = (index: Index): Instruction => load(16 + 8 * index);

/** Returns the instructions that answer one system call; every path through `body` must end in a verdict. */
const answerFor = (call: number, ...body: Instruction[]): Instruction[] => [ifEqual(call, 0, body.length), ...body];

/**
 * Returns the seccomp filter for every process in the sandbox, as a classic BPF program for `bwrap --seccomp`.
 * @returns null on an architecture whose system calls the table lacks
 */
export function seccompFilter(architecture: NodeJS.Architecture = process.arch): Buffer | null {
  const known = architectures[architecture];
  if (!known) return null;
  const numbers = Object.values(denied).flatMap((call) => call[known.column] ?? []);
  return encode([
    callArchitecture,
    ifEqual(known.audit, 1, 0),
    kill,
    callNumber,
    ...(architecture === "x64" ? [ifAtLeast(firstX32Call, 0, 1), kill] : []),
    ...numbers.flatMap((number) => answerFor(number, fail("EPERM"))),
    ...behindPointers.flatMap((number) => answerFor(number, fail("ENOSYS"))),
    ...known.modes.flatMap(([call, mode]) => answerFor(call, argument(mode), ifAnyBit(setIdBits, 0, 1), fail("EPERM"), allow)),
    ...known.opens.flatMap(([call, flags, mode]) =>
      answerFor(call, argument(flags), ifAnyBit(makesFile, 1, 0), allow, argument(mode), ifAnyBit(setIdBits, 0, 1), fail("EPERM"), allow),
    ),
    ...answerFor(known.clone, argument(0), ifAnyBit(newNamespaces, 0, 1), fail("EPERM"), allow),
    ...answerFor(known.personality, argument(0), ...harmlessPersonalities.flatMap((value) => [ifEqual(value, 0, 1), allow]), fail("EPERM")),
    ...answerFor(known.socket, argument(0), ...socketFamilies.flatMap((value) => [ifEqual(value, 0, 1), allow]), fail("EAFNOSUPPORT")),
    ...answerFor(known.ioctl, argument(1), ...deniedTerminalRequests.flatMap((value) => [ifEqual(value, 0, 1), fail("EPERM")]), allow),
    allow,
  ]);
}

/** Encodes each instruction in eight bytes, as the kernel's `struct sock_filter`. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
