MemcpyHtoD,0x00007fc841500000,32768
MemcpyHtoD,0x00007fc841508000,98304

MemcpyHtoD,0x00007fc841508000,1
kernel-1.traceg
kernel-2.traceg
