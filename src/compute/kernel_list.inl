// Every kernel, once: gives its number, its name in messages and both tables.
// compute
WF_KERNEL_ID(TileSum)
WF_KERNEL_ID(TileMaxIndex)
WF_KERNEL_ID(SegmentedSum)
WF_KERNEL_ID(MarkFlags)
WF_KERNEL_ID(ScatterFlagged)
WF_KERNEL_ID(Triad)
// collide
WF_KERNEL_ID(BroadSlots)
WF_KERNEL_ID(BroadPatches)
WF_KERNEL_ID(BroadRefit)
WF_KERNEL_ID(BroadMorton)
WF_KERNEL_ID(BroadGather)
WF_KERNEL_ID(BroadWalk)
WF_KERNEL_ID(BroadQuads)
WF_KERNEL_ID(BroadPatchPairs)
WF_KERNEL_ID(BroadTest)
WF_KERNEL_ID(BroadWrite)
WF_KERNEL_ID(CcdFirstTimes)
// elastic
WF_KERNEL_ID(LimitCount)
WF_KERNEL_ID(LimitStrain)
WF_KERNEL_ID(LimitRate)
// dynamics
WF_KERNEL_ID(ChebyshevPredict)
WF_KERNEL_ID(ChebyshevIterate)
WF_KERNEL_ID(ChebyshevEnd)
WF_KERNEL_ID(SpringMeasure)
// contact
WF_KERNEL_ID(Project)
// scene
WF_KERNEL_ID(HoldPins)
WF_KERNEL_ID(FoldPins)
WF_KERNEL_ID(CheckFinite)
WF_KERNEL_ID(StateEnergy)
