# Installed: libweft, libweft_io, headers, the command, the scenes, a CMake package and pkg-config files. Nothing in them names the
# prefix, so that the whole can be moved. The libraries are static: whoever links them also needs what they were built on.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH WEFT_PC_PREFIX /${pkgconfig_folder} /) # from a .pc file to the prefix
string(REGEX REPLACE "/$" "" WEFT_PC_PREFIX "${WEFT_PC_PREFIX}")

install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.inl")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS weft EXPORT weft-core)
install(EXPORT weft-core NAMESPACE weft:: DESTINATION ${package_folder})

set(WEFT_PC_LIBS_PRIVATE "${OpenMP_C_FLAGS} -lm")
if(WEFT_HAS_CUDA)
    get_filename_component(cudart_folder ${CUDA_cudart_static_LIBRARY} DIRECTORY)
    string(APPEND WEFT_PC_LIBS_PRIVATE " -L${cudart_folder} -lcudart_static -lstdc++ -lpthread -lrt -ldl")
endif()
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${pkgconfig_folder})

if(WEFT_TOOLS)
    install(TARGETS weft_io EXPORT weft-io)
    install(EXPORT weft-io NAMESPACE weft:: DESTINATION ${package_folder})
    install(TARGETS weft_app)
    install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
    configure_file(cmake/weft_io.pc.in weft_io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/weft_io.pc DESTINATION ${pkgconfig_folder})
endif()

configure_package_config_file(cmake/weft-config.cmake.in weft-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake ${PROJECT_BINARY_DIR}/weft-config-version.cmake DESTINATION ${package_folder})
