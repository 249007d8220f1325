/* SPDX-License-Identifier: MIT */
/* image/containers.cpp - table of file formats; offsets and bytes are from the formats' own definitions. */
#include "image/containers.hpp"

#include <cstring>
#include <iterator>
#include <string_view>

namespace walkway
{

namespace
{

using namespace std::string_view_literals;

struct mark {
    std::string_view bytes;
    int64_t offset; /* below 0: from the end of the file */
    container found;
};

constexpr const char *unpack = "unpack it first";
constexpr const char *disk = "a disk, not memory: dump the memory of the machine that uses it";
constexpr const char *volatility =
    "volatility3's layerwriter.LayerWriter writes its memory_layer as raw memory";
constexpr const char *qemu = "dump-guest-memory writes an ELF core";
constexpr const char *libvirt = "'virsh dump --memory-only' writes an ELF core";
constexpr const char *vmware =
    "'vmss2core -N' writes an ELF core; a .vmem beside it is raw memory, for --map";
constexpr const char *vbox = "'VBoxManage debugvm VM dumpvmcore' writes an ELF core";
constexpr const char *kdump = "'makedumpfile -E' writes an ELF core from /proc/vmcore";
constexpr const char *crash =
    "the crash utility reads it; 'makedumpfile -E' of /proc/vmcore writes an ELF core";
constexpr const char *lime =
    "LiME writes a raw one with format=padded, 'avml-convert --format raw' makes one";
constexpr const char *memprocfs = "MemProcFS shows its memory as a raw file";
constexpr const char *hibernation =
    "pages packed for the kernel that resumes: dump the running machine instead";
constexpr const char *evidence = "its own tools (ewfexport, affconvert, aff4imager) write raw memory";

/* The first match counts. */
constexpr mark marks[] = {
    /* crash dumps */
    {"KDUMP   "sv,
     0,
     {"a kdump-compressed dump", "QEMU writes an ELF core without -z, -l and -s; makedumpfile with -E"}},
    {"DISKDUMP"sv, 0, {"a kdump-compressed dump (diskdump)", kdump}},
    {"diskdump"sv, 0, {"a dump partition of diskdump", kdump}},
    {"makedumpfile"sv,
     0,
     {"a flattened dump of makedumpfile", "'makedumpfile -R' makes it whole, and -E an ELF core"}},
    {"\xed\x23\x8f\x61\x73\x01\x19\xa8"sv, 0, {"an LKCD dump", crash}},
    {"\xcd\x23\x8f\x61\x73\x01\x19\xa8"sv, 0, {"an LKCD dump of a live system", crash}},
    {"sadump\0\0"sv, 0, {"a dump of sadump", crash}},
    {"sadump\0\0"sv, 4096, {"a dump of sadump (backup of a medium)", crash}},
    {"PAGEDU64"sv, 0, {"a crash dump of Windows", volatility}},
    {"PAGEDUMP"sv, 0, {"a crash dump of 32-bit Windows", "its tables are not those of 4 or 5 levels"}},
    {"MDMP\x93\xa7"sv,
     0,
     {"a minidump of Windows", "one process, not a machine: a complete memory dump is needed"}},
    {"minidump FreeBSD/"sv, 0, {"a minidump of FreeBSD", "debug.minidump=0 makes the next one an ELF core"}},
    {"\xed\xc8\xfe\xde"sv, 0, {"a crash dump of Solaris", "mdb reads it"}},
    {"\xcf\xfa\xed\xfe"sv, 0, {"a Mach-O file", "no ELF core"}},
    /* acquired memory */
    {"EMiL"sv, 0, {"a LiME dump", lime}},
    {"AVML"sv, 0, {"an AVML dump", "'avml-convert --format raw' makes a raw one"}},
    {"HPAK"sv, 0, {"an HPAK dump of FastDump", "volatility 2's hpakextract makes a raw one"}},
    {"EVF\x09\r\n\xff\0"sv, 0, {"an EWF (EnCase) image", evidence}},
    {"EVF2\r\n\x81\0"sv, 0, {"an EWF2 (EnCase) image", evidence}},
    {"LVF\x09\r\n\xff\0"sv, 0, {"a logical EWF (EnCase) image", evidence}},
    {"LEF2\r\n\x81\0"sv, 0, {"a logical EWF2 (EnCase) image", evidence}},
    {"AFF10\r\n\0"sv, 0, {"an AFF image", evidence}},
    {"ADSEGMENTEDFILE\0"sv, 0, {"an AD1 image of FTK", "FTK Imager writes raw memory"}},
    {"container.description"sv, 30, {"an AFF4 image", evidence}},
    /* saved states of machines */
    {"QEVM"sv, 0, {"a saved state of QEMU, not memory", qemu}},
    {"LibvirtQemudSave"sv, 0, {"a saved state of libvirt", libvirt}},
    {"LibvirtQemudPart"sv, 0, {"an unfinished saved state of libvirt", libvirt}},
    {"libvirt-xml\n \0 \r"sv, 0, {"a saved state of libvirt (Xen)", volatility}},
    {"Xen saved domain"sv, 0, {"a saved state of Xen", volatility}},
    {"XenSavedDomain"sv, 0, {"a saved state of Xen", volatility}},
    {"LinuxGuestRecord"sv, 0, {"a saved state of Xen", volatility}},
    {"\xff\xff\xff\xff\xff\xff\xff\xff"
     "XENF"sv,
     0,
     {"a saved state of Xen", volatility}},
    {"\xed\xeb\x0f\xf0"sv, 0, {"a core of Xen in its old format", volatility}},
    {"\xee\xeb\x0f\xf0"sv, 0, {"a core of Xen (HVM) in its old format", volatility}},
    {"\xd0\xbe\xd2\xbe"sv, 0, {"a saved state of VMware (.vmss, .vmsn)", vmware}},
    {"\xd2\xbe\xd0\xbe"sv, 0, {"a saved state of VMware (.vmss, .vmsn)", vmware}},
    {"\xd1\xba\xd1\xba"sv, 0, {"a saved state of VMware (.vmss, .vmsn)", vmware}},
    {"\xd2\xbe\xd2\xbe"sv, 0, {"a saved state of VMware (.vmss, .vmsn)", vmware}},
    {"\xd3\xbe\xd3\xbe"sv, 0, {"a saved state of VMware (.vmss, .vmsn)", vmware}},
    {"\x7fVirtualBox SavedState"sv, 0, {"a saved state of VirtualBox", vbox}},
    {"\x14\x20\x28\x01"sv, 0, {"a saved state of Hyper-V (.vmrs)", memprocfs}},
    {"VMA\0"sv,
     0,
     {"a backup of Proxmox (VMA)", "'vma extract' takes it apart; QEMU's dump-guest-memory dumps memory"}},
    /* hibernation */
    {"hibr"sv, 0, {"a hibernation file of Windows", memprocfs}},
    {"HIBR"sv, 0, {"a hibernation file of Windows", memprocfs}},
    {"wake"sv, 0, {"a hibernation file of Windows that was resumed from", memprocfs}},
    {"WAKE"sv, 0, {"a hibernation file of Windows that was resumed from", memprocfs}},
    {"rstr"sv, 0, {"a hibernation file of Windows that was being resumed from", memprocfs}},
    {"RSTR"sv, 0, {"a hibernation file of Windows that was being resumed from", memprocfs}},
    {"HORM"sv, 0, {"a hibernation file of Windows (resume many)", memprocfs}},
    {"link"sv, 0, {"a link to a hibernation file of Windows", memprocfs}},
    {"LINK"sv, 0, {"a link to a hibernation file of Windows", memprocfs}},
    {"brkp"sv, 0, {"a hibernation file of Windows (with a breakpoint)", memprocfs}},
    {"BRKP"sv, 0, {"a hibernation file of Windows (with a breakpoint)", memprocfs}},
    {"S1SUSPEND"sv, 0xff6, {"a hibernation image of Linux (swsusp)", hibernation}},
    {"S2SUSPEND"sv, 0xff6, {"a hibernation image of Linux (swsusp)", hibernation}},
    {"ULSUSPEND"sv, 0xff6, {"a hibernation image of Linux (uswsusp)", hibernation}},
    {"LINHIB0001"sv, 0xff6, {"a hibernation image of Linux", hibernation}},
    {"\xed\xc3\x02\xe9\x98\x56\xe5\x0c"sv, 0, {"a hibernation image of Linux (TuxOnIce)", hibernation}},
    {"SWAPSPACE2"sv, 0xff6, {"swap space of Linux", "single pages, not memory"}},
    {"SWAP-SPACE"sv, 0xff6, {"swap space of Linux", "single pages, not memory"}},
    /* disks */
    {"QFI\xfb"sv, 0, {"a disk image (qcow2)", disk}},
    {"QED\0"sv, 0, {"a disk image (QED)", disk}},
    {"OOOM"sv, 0, {"a disk image (COW)", disk}},
    {"KDMV"sv, 0, {"a disk image (VMDK)", disk}},
    {"COWD"sv, 0, {"a disk image (VMDK of ESX)", disk}},
    {"\xbe\xba\xfe\xca\0\0\0\0"sv, 0, {"a disk image (VMDK, SE sparse)", disk}},
    {"# Disk DescriptorFile"sv, 0, {"a description of a disk image (VMDK)", disk}},
    {"vhdxfile"sv, 0, {"a disk image (VHDX)", disk}},
    {"conectix"sv, 0, {"a disk image (VHD)", disk}},
    {"conectix"sv, -512, {"a disk image (VHD of fixed size)", disk}},
    {"koly"sv, -512, {"a disk image (DMG)", disk}},
    {"\x7f\x10\xda\xbe"sv, 64, {"a disk image (VDI)", disk}},
    {"WithoutFreeSpace"sv, 0, {"a disk image (Parallels)", disk}},
    {"WithouFreSpacExt"sv, 0, {"a disk image (Parallels)", disk}},
    {"Bochs Virtual HD Image"sv, 0, {"a disk image (Bochs)", disk}},
    {"LUKS\xba\xbe"sv, 0, {"an encrypted disk (LUKS)", disk}},
    {"-FVE-FS-"sv, 3, {"an encrypted disk (BitLocker)", disk}},
    {"NTFS    "sv, 3, {"a file system (NTFS)", disk}},
    {"EFI PART"sv, 512, {"a disk with partitions (GPT)", disk}},
    {"EFI PART"sv, 4096, {"a disk with partitions (GPT)", disk}},
    {"\x3a\xff\x26\xed"sv, 0, {"a disk image (Android sparse)", disk}},
    {"#!/bin/sh\n#V2.0 Format"sv, 0, {"a disk image (cloop)", disk}},
    {"\x53\xef\x01\0"sv, 0x438, {"a file system (ext)", disk}},
    {"CD001"sv, 0x8001, {"a disc image (ISO 9660)", disk}},
    {"hsqs"sv, 0, {"a file system (squashfs)", disk}},
    {"XFSB"sv, 0, {"a file system (XFS)", disk}},
    {"_BHRfS_M"sv, 0x10040, {"a file system (btrfs)", disk}},
    /* boot files */
    {"HdrS"sv, 0x202, {"a kernel of Linux (bzImage)", "a file, not memory: dump the machine that runs it"}},
    {"_FVH"sv, 40, {"firmware (UEFI)", "a file, not memory: dump the machine that runs it"}},
    /* compressed files and archives */
    {"\x1f\x8b"sv, 0, {"compressed (gzip)", unpack}},
    {"\xfd"
     "7zXZ\0"sv,
     0,
     {"compressed (xz)", unpack}},
    {"\x28\xb5\x2f\xfd"sv, 0, {"compressed (zstd)", unpack}},
    {"BZh"sv, 0, {"compressed (bzip2)", unpack}},
    {"\x04\x22\x4d\x18"sv, 0, {"compressed (lz4)", unpack}},
    {"\x02\x21\x4c\x18"sv, 0, {"compressed (lz4, legacy)", unpack}},
    {"\xff\x06\0\0sNaPpY"sv, 0, {"compressed (snappy)", unpack}},
    {"\x89LZO\0\r\n\x1a\n"sv, 0, {"compressed (lzop)", unpack}},
    {"LZIP"sv, 0, {"compressed (lzip)", unpack}},
    {"LRZI"sv, 0, {"compressed (lrzip)", unpack}},
    {"\x5d\0\0"sv, 0, {"compressed (lzma)", unpack}},
    {"\x1f\x9d"sv, 0, {"compressed (compress)", unpack}},
    {"PK\x03\x04"sv, 0, {"an archive (zip)", unpack}},
    {"PK\x05\x06"sv, 0, {"an archive (zip) with nothing in it", unpack}},
    {"PK\x07\x08"sv, 0, {"an archive (zip) in parts", unpack}},
    {"7z\xbc\xaf\x27\x1c"sv, 0, {"an archive (7z)", unpack}},
    {"Rar!\x1a\x07"sv, 0, {"an archive (rar)", unpack}},
    {"MSCF"sv, 0, {"an archive (cab)", unpack}},
    {"MSWIM\0\0\0"sv, 0, {"an archive (wim)", unpack}},
    {"xar!"sv, 0, {"an archive (xar)", unpack}},
    {"!<arch>\n"sv, 0, {"an archive (ar)", unpack}},
    {"07070"sv, 0, {"an archive (cpio)", unpack}},
    {"ustar"sv, 257, {"an archive (tar)", unpack}},
    /* last, since several formats above have it too */
    {"\x55\xaa"sv, 510, {"a disk with a boot sector (MBR)", disk}},
};

} // namespace

const container *container_of(const unsigned char *bytes, uint64_t size)
{
    for (const mark &m : marks) {
        const uint64_t back = static_cast<uint64_t>(-m.offset), length = m.bytes.size();
        if (m.offset < 0 && back > size)
            continue;
        const uint64_t at = m.offset < 0 ? size - back : static_cast<uint64_t>(m.offset);
        if (at <= size && length <= size - at && std::memcmp(bytes + at, m.bytes.data(), length) == 0)
            return &m.found;
    }
    return nullptr;
}

} // namespace walkway
