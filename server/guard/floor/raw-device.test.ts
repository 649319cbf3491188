import { describe, expect, test } from "vitest";
import { examples, words } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { checkHardFloor } from "./check-hard-floor";
import { isRawDevice } from "./raw-device";

const detectorsOf = (command: string) => checkHardFloor(readShell(command)).map(({ detector }) => detector);

const isDevice = (file: string) => isRawDevice(file, ".");

describe("a raw device", () => {
  test.each(words`
    sda sdz sdaa sda1 sda12 hda hdb2 vda vdb1 xvda xvdf1 nvme0 nvme0n1 nvme0n1p2 mmcblk0 mmcblk0p1 disk0 disk2s1 rdisk1 dm-0 md0 md127
    nbd0 zd0 sr0 loop0 loop7p1 mapper/root disk/by-id/x block/8:0 vg0/root vg/data mem kmem port
  `)("is /dev/%s", (name) => {
    expect(isDevice(`/dev/${name}`)).toBe(true);
    expect(isDevice(`/dev/./${name}`)).toBe(true);
    expect(isDevice(`/mnt/dev/${name}`)).toBe(false);
    expect(isDevice(`dev/${name}`)).toBe(false);
  });
  test.each(words`
    null zero full random urandom tty tty1 stdout fd/3 shm/a pts/0 sd sdA sda-backup nvme nvmex mmcblk disk dm- md loop loopback
    loop-control mapper/ mapper block/ memory report kmemx xsda vg input/mem shm/disk0 mnt/dev/sda
  `)("is not /dev/%s", (name) => expect(isDevice(`/dev/${name}`)).toBe(false));

  test.each(words`
    sd? sd* s* s?a ?da sda* sd?1 sdb* *db h?a hda* vd? v* xvd? x* nvme* n*n1 mmc* m*k0 dm-? d?-0 md? m?0 disk? d*k0 * ??? sd[ab] [s]da
    sd[!b] [[:alpha:]]da
  `)("may be meant by /dev/%s", (glob) => expect(isDevice(`/dev/${glob}`)).toBe(true));
  test.each("tt* nul? z* ? pts/* sd?x q[a]".split(" "))("is not meant by /dev/%s", (glob) => expect(isDevice(`/dev/${glob}`)).toBe(false));
  test("is not meant by what lies elsewhere", () => {
    expect(isDevice("/tmp/s*")).toBe(false);
    expect(isDevice("/devices/sda")).toBe(false);
  });
  test("has no path that is too long for any system", () => {
    const long = (chars: number) => `/dev/${"./".repeat((chars - 8) / 2)}sda`;
    expect(isDevice(long(4_096))).toBe(true);
    expect(isDevice(long(4_098))).toBe(false);
  });
  test("may be behind a bracket that holds one, or a line end", () => {
    expect(isDevice("/dev/sd[]a]")).toBe(true);
    expect(isDevice("/dev/sd[a\nb]")).toBe(true);
  });
});

describe("writing to a raw device is denied", () => {
  test.each(examples`
    tee /dev/sda ¦ tee -a log /dev/sda ¦ shred -n 1 /dev/sda ¦ wipefs -a /dev/sda ¦ wipefs -fa /dev/sda ¦ wipefs -o 0x1 /dev/sda
    wipefs --all /dev/sda ¦ wipefs --offset=1 /dev/sda ¦ blkdiscard /dev/sda ¦ sgdisk --zap-all /dev/sda ¦ sgdisk -p -Z /dev/sda
    sgdisk --print-not /dev/sda ¦ sgdisk x-p /dev/sda ¦ sgdisk /dev/sda ¦ sfdisk /dev/sda ¦ sfdisk --delete /dev/sda
    badblocks -w /dev/sda ¦ badblocks -svw /dev/sda ¦ badblocks -n /dev/sda ¦ truncate -s 0 /dev/sda ¦ cp image /dev/sda
    cp image /dev/sda -v ¦ mv image /dev/sda ¦ install -m 600 image /dev/sda ¦ rsync image /dev/sda ¦ ddrescue image /dev/sda
    dd_rescue image /dev/sda ¦ dd of=/dev/sda ¦ dd if=a of=b of=/dev/sda ¦ gdd of=/dev/sda ¦ dcfldd of=/dev/sda ¦ shred /dev/*
    tee -p /dev/sda ¦ sgdisk -Z-p /dev/sda ¦ pvcreate /dev/sda ¦ sg_format --format /dev/sda ¦ sg_sanitize --block /dev/sda
    nvme sanitize /dev/nvme0 ¦ nvme write-zeroes /dev/nvme0n1 ¦ hdparm --sanitize-crypto-scramble /dev/sda ¦ cryptsetup -v erase /dev/sda
    mdadm --create /dev/md0 --level=1 /dev/sda ¦ mdadm -C /dev/md0 ¦ mdadm --zero-superblock /dev/sda ¦ parted /dev/sda mkpart primary
    zpool create tank /dev/sda ¦ zpool labelclear -f /dev/sda ¦ openssl rand -out /dev/sda 512 ¦ openssl genrsa -writerand /dev/sda
  `)("%s", (command) => expect(detectorsOf(command)).toEqual(["floor.raw_device"]));
  test.each(examples`
    tee log ¦ cat /dev/sda ¦ wipefs /dev/sda ¦ wipefs --no-act /dev/sda ¦ wipefs --backup /dev/sda ¦ wipefs x-a /dev/sda
    wipefs x--all /dev/sda ¦ badblocks /dev/sda ¦ badblocks -sv /dev/sda ¦ badblocks x-w /dev/sda ¦ sgdisk -p /dev/sda
    sgdisk --print /dev/sda ¦ sgdisk -i 1 /dev/sda ¦ sgdisk --info=1 -p disk.img ¦ sgdisk -v /dev/sda ¦ sgdisk --verify /dev/sda
    sfdisk -l /dev/sda ¦ sfdisk --list /dev/sda ¦ sfdisk -d /dev/sda ¦ sfdisk --dump /dev/sda ¦ cp /dev/sda image ¦ mv /dev/sda /tmp/x
    dd if=/dev/sda ¦ dd xof=/dev/sda ¦ add of=/dev/sda ¦ ddx of=/dev/sda ¦ xdcfldd of=/dev/sda ¦ dcfldds of=/dev/sda
    cp a /dev/sda /tmp/x ¦ nvme id-ctrl --write /dev/nvme0 ¦ nvme formats /dev/nvme0 ¦ nvme get-format /dev/nvme0
    hdparm x--trim-sector-ranges /dev/sda ¦ cryptsetup luksDump /dev/sda luksErase.txt ¦ cryptsetup no-erase /dev/sda
    cryptsetup formats /dev/sda ¦ mdadm --detail /dev/md0 ¦ mdadm --examine-C /dev/md0 ¦ mdadm --created /dev/md0
    parted /dev/sda print-rm ¦ zpool import /dev/sda ¦ zpool no-create /dev/sda ¦ zpool created /dev/sda ¦ openssl enc -in /dev/sda -out x
    openssl dgst /dev/sda -out x y ¦ openssl enc -outform /dev/sda ¦ openssl enc x-out /dev/sda
  `)("but not %s", (command) => expect(detectorsOf(command)).toEqual([]));
});

describe("a program that is told to put its output on a raw device is denied", () => {
  test.each("curl wget wget2 aria2c sort gsort shuf gcc cc g++ clang ld pv mbuffer gpg iconv".split(" "))("%s", (name) => {
    expect(detectorsOf(`${name} -o /dev/sda x`)).toEqual(["floor.raw_device"]);
    expect(detectorsOf(`${name} --out=/dev/sda x`)).toEqual(["floor.raw_device"]);
    expect(detectorsOf(`${name} -o x /dev/sda`)).toEqual([]);
  });
  test.each(["cp", "mv", "install"])("%s", (name) => {
    expect(detectorsOf(`${name} -t /dev/sda x`)).toEqual(["floor.raw_device"]);
    expect(detectorsOf(`${name} --target-directory=/dev/sda x`)).toEqual(["floor.raw_device"]);
  });
});

describe("making a file system on a device is denied", () => {
  test.each("mkfs mkfs.ext4 mkfs.btrfs mke2fs mkdosfs mkntfs mkreiserfs newfs newfs_msdos mkswap".split(" "))("by %s", (name) => {
    expect(detectorsOf(`${name} /dev/vda`)).toEqual(["floor.make_file_system"]);
    expect(detectorsOf(`${name} -V /dev/vda`)).toEqual(["floor.make_file_system"]);
    expect(detectorsOf(`cd /dev && ${name} vda`)).toEqual(["floor.make_file_system"]);
    expect(detectorsOf(`${name} $device`)).toEqual(["floor.make_file_system"]);
    expect(detectorsOf(`${name} disk.img`)).toEqual([]);
  });
  test.each(examples`
    mkfs --help ¦ mkfs.ext4 -V ¦ mkfsx /dev/vda ¦ xmkfs /dev/vda ¦ mkfs. /dev/vda ¦ mkswaps /dev/vda ¦ newfs_ /dev/vda
  `)("but not by %s", (command) => expect(detectorsOf(command)).toEqual([]));
});
