// Every kernel, once: gives its number, its name in messages and both tables.
// compute
WF_KERNEL_ID(TileSum)
WF_KERNEL_ID(TileDot)
WF_KERNEL_ID(TileMaxIndex)
WF_KERNEL_ID(SegmentedSum)
WF_KERNEL_ID(MarkFlags)
WF_KERNEL_ID(ScatterFlagged)
