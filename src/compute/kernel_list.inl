// Every kernel, once: gives its number, its name in messages and both tables.
WF_KERNEL_ID(TileSum)
